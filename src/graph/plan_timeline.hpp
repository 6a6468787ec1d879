// Which slot holds which transient when, as text: a bar over the commands of the plan.
#pragma once

#include <string>

#include "wgprim/plan.hpp"

namespace wgprim {

/// One line a transient, under a line for its slot; empty where the plan has no slots. Bars are at
/// most 60 characters wide: in long plans a character stands for many commands.
std::string timeline_text(const Plan& plan);

}  // namespace wgprim
