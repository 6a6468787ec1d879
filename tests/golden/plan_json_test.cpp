// Plans as JSON and as text: golden files, the way back, and a reader that takes nothing on trust.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "document/json.hpp"
#include "support/case.hpp"
#include "support/golden.hpp"
#include "support/kernel_operator.hpp"
#include "support/random_scan.hpp"
#include "support/time_limit.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/document.hpp"

namespace wgprim::testing {
namespace {

struct GoldenPlan {
  std::string name;
  ScanCase scan;
  DeviceProfile profile = {};
};

std::vector<GoldenPlan> golden_plans() {
  ScanCase split = separate_scan(70000, ScanMode::inclusive);
  split.limits = {"maxStorageBufferBindingSize=131072"};
  ScanCase chunks = with_flags(separate_scan(1000));
  chunks.input = {{0, 400, 4}, {0, 0, 8}, {0, 599, 1608}};
  ScanCase tiles = separate_scan(2050);
  tiles.path = Path::reduce_then_scan;
  tiles.input[0].byte_offset = tiles.output[0].byte_offset = 0;
  tiles.buffers = {{"input", 8200}, {"output", 8208}};
  ScanCase words = split_scan({1000, 24}, {1024});
  words.output_high = {{words.input_high[0].buffer, 1024, 0}};
  words.path = Path::reduce_then_scan;
  ScanCase custom =
      with_rows_of(separate_scan(300), Format::uint32x2, custom_operators()[1].description());
  custom.is_reverse = true;
  return {{"scan_chunks", chunks},
          {"scan_custom", with_carry_out(with_carry_in(custom, {1}))},
          {"scan_tiles", tiles},
          {"scan_u64", words},
          {"scan_0", separate_scan(0)},
          {"scan_1000", separate_scan(1000)},
          {"scan_1000_in_place", in_place_scan(1000, ScanMode::inclusive)},
          {"scan_1000_subgroups", separate_scan(1000), {.capabilities = {.subgroups = true}}},
          {"scan_65536", separate_scan(65536)},
          {"scan_70000_split", split},
          {"scan_two_buffers", chunked_scan({1000, 24}, {700, 324})}};
}

TEST(PlanGoldenTest, plans_are_as_they_were) {
  for (const GoldenPlan& golden : golden_plans()) {
    const auto plan = plan_scan(golden.scan, golden.profile);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_TRUE(matches_golden(concat("plans/", golden.name, ".json"), to_json(*plan)));
    EXPECT_TRUE(matches_golden(concat("plans/", golden.name, ".txt"), to_text(*plan)));
  }
}

/// A plan that has every kind of item the format knows.
Plan complete_plan() {
  Plan plan = plan_scan(separate_scan(300)).value();
  plan.nodes[0].condition = "is \"wanted\"\n";
  plan.nodes[0].row_capacity = 300;
  plan.nodes.push_back({.id = "draw", .operation = "external", .after = {0}, .reads = {1}});
  plan.buffers.push_back(
      {.id = "state", .bytes = UINT64_MAX, .usage = 127, .role = BufferRole::state});
  plan.buffers.push_back({.id = "table",
                          .bytes = 8,
                          .usage = kUsageStorage,
                          .role = BufferRole::constant,
                          .words = {1, 0xffffffff}});
  plan.kernels.push_back(
      {.name = "own", .uses_subgroups = true, .wgsl = "fn main() {}\n", .entry_point = "main"});
  const auto own = static_cast<std::uint32_t>(plan.kernels.size() - 1);
  plan.kernels.push_back({.name = "scan_blocks",
                          .slots = {{"operator", "op_custom"}},
                          .operator_wgsl = "fn identity() -> Element {}\n"});
  plan.dispatches.push_back({.kernel = own,
                             .label = "own",
                             .indirect = IndirectShape{1, 12},
                             .extent = PlanExtent{1, UINT64_MAX, 256, 7, true}});
  plan.passes.emplace_back(PlanCopy{0, 0, 4, 1, 8, 12});
  plan.passes.emplace_back(PlanClear{0, 1, 16, 20});
  plan.passes.emplace_back(
      PlanExternal{1, {{0, 4, 8, kUsageVertex, false}, {1, 0, 12, kUsageIndex, true}}});
  plan.steps = {{0, 1, true}};
  return plan;
}

TEST(PlanJsonTest, a_plan_comes_back_as_it_was) {
  for (const GoldenPlan& golden : golden_plans()) {
    const Plan plan = plan_scan(golden.scan, golden.profile).value();
    const auto read = plan_from_json(to_json(plan));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, plan) << golden.name;
  }
  const std::string text = to_json(complete_plan());
  EXPECT_EQ(plan_from_json(text).value(), complete_plan());
  EXPECT_EQ(to_json(plan_from_json(text).value()), text);
}

RC_GTEST_PROP(PlanJsonTest, any_plan_comes_back_as_it_was, ()) {
  const RandomScan random = *random_scans();
  const Plan plan = plan_scan(random.scan, random.profile).value();
  RC_ASSERT(plan_from_json(to_json(plan)).value() == plan);
}

void expect_refused(const std::string& text, const std::string& message) {
  const auto read = plan_from_json(text);
  ASSERT_FALSE(read) << "expected: " << message;
  EXPECT_EQ(read.error().code, ErrorCode::invalid_file);
  EXPECT_EQ(read.error().message, message);
}

/// The JSON of a plan, changed by `edit`, must be refused with `message`.
void expect_edit_refused(const std::function<void(Json&)>& edit, const std::string& message) {
  Json json = parse_json(to_json(complete_plan())).value();
  edit(json);
  expect_refused(json.dump(), message);
}

std::uint32_t passes_end(const Plan& plan) { return std::get<PlanComputePass>(plan.passes[0]).end; }

TEST(PlanJsonTest, an_unknown_key_is_refused_at_every_level) {
  expect_edit_refused([](Json& json) { json["extra"] = 1; },
                      "'extra' is not a key that is known there.");
  expect_edit_refused([](Json& json) { json["dispatches"][2]["extra"] = 1; },
                      "'dispatches[2].extra' is not a key that is known there.");
  expect_edit_refused([](Json& json) { json["dispatches"][1]["bindings"][0]["extra"] = 1; },
                      "'dispatches[1].bindings[0].extra' is not a key that is known there.");
  expect_edit_refused([](Json& json) { json["workload"]["extra"] = 1; },
                      "'workload.extra' is not a key that is known there.");
}

TEST(PlanJsonTest, a_missing_key_is_refused_whichever_it_is) {
  const Json json = parse_json(to_json(complete_plan())).value();
  for (const auto& [key, value] : json.items()) {
    expect_edit_refused([&](Json& edited) { edited.erase(key); },
                        concat("'", key, "' is missing."));
  }
  for (const char* list :
       {"nodes", "buffers", "slots", "kernels", "dispatches", "passes", "steps"}) {
    for (const auto& [key, value] : json[list][0].items()) {
      if (key == "slot" || key == "row_capacity" || key == "extent") continue;  // Some have none.
      expect_edit_refused([&](Json& edited) { edited[list][0].erase(key); },
                          concat("'", list, "[0].", key, "' is missing."));
    }
  }
}

TEST(PlanJsonTest, a_repeated_key_is_refused) {
  std::string text = to_json(complete_plan());
  text.insert(text.find("\"order\""), "\"order\": [], ");
  expect_refused(text, "'order' is given twice.");
  expect_refused(R"({"a": {"b": 1, "c": {}, "b": 2}})", "'a.b' is given twice.");
}

TEST(PlanJsonTest, the_same_key_in_different_objects_is_no_repetition) {
  EXPECT_TRUE(parse_json(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}], "c": {"b": 1}})"));
}

TEST(PlanJsonTest, an_id_that_two_buffers_or_nodes_have_is_refused) {
  for (const char* list : {"nodes", "buffers"}) {
    Json document =
        *parse_json(to_json(*plan_scan(std::uint64_t{1000}, ScanOptions{}, DeviceProfile{})));
    document[list].push_back(document[list][0]);
    if (std::string_view(list) == "nodes") document["order"].push_back(document["order"][0]);
    const auto plan = plan_from_json(document.dump());
    ASSERT_FALSE(plan);
    const std::string id = document[list][0]["id"];
    EXPECT_EQ(plan.error().message, concat("'", list, "' has the id '", id, "' twice."));
  }
}

TEST(PlanJsonTest, scratch_never_takes_the_id_of_an_import) {
  Graph graph;
  const DataView data{.buffer = *graph.import_buffer({.id = "s.sums1", .bytes = 4000}),
                      .rows = 1000};
  ASSERT_TRUE(graph.add(Scan{.id = "s", .input = data, .output = data, .path = Path::chained}));
  const Plan plan = *graph.compile({});
  EXPECT_EQ(plan.buffers[1].id, "s.sums1'");
  EXPECT_EQ(*plan_from_json(to_json(plan)), plan);
}

TEST(PlanJsonTest, a_wrong_type_is_refused) {
  const auto set_bytes = [](const Json& value) {
    return [value](Json& json) { json["slots"][0]["bytes"] = value; };
  };
  const std::string no_number =
      "'slots[0].bytes' is not a whole number from 0 to 18446744073709551615.";
  for (const Json& value : {Json("08"), Json(-1), Json(8.0), Json(nullptr), Json(true)}) {
    expect_edit_refused(set_bytes(value), no_number);
  }
  expect_edit_refused([](Json& json) { json["nodes"] = 1; }, "'nodes' is not a list.");
  expect_edit_refused([](Json& json) { json["nodes"][0] = 1; }, "'nodes[0]' is not an object.");
  expect_edit_refused([](Json& json) { json["order"][0] = 1; }, "'order[0]' is not a text.");
  expect_edit_refused([](Json& json) { json["nodes"][0]["subgroups"] = "on"; },
                      "'nodes[0].subgroups' is not true or false.");
  expect_edit_refused([](Json& json) { json["dispatches"][0]["shape"] = {1, 1}; },
                      "'dispatches[0].shape' is not a list of three numbers.");
  expect_refused("[]", "The document is not an object.");
}

TEST(PlanJsonTest, a_number_that_does_not_fit_is_refused) {
  std::string text = to_json(complete_plan());
  text.replace(text.find("18446744073709551615"), 20, "18446744073709551616");
  expect_refused(text, "'buffers[3].bytes' is not a whole number from 0 to 18446744073709551615.");
  expect_edit_refused([](Json& json) { json["passes"][0]["end"] = 4294967296; },
                      "'passes[0].end' is not a whole number from 0 to 4294967295.");
  expect_edit_refused([](Json& json) { json["dispatches"][0]["parameters"][0] = 4294967296; },
                      "'dispatches[0].parameters[0]' is not a whole number from 0 to 4294967295.");
}

TEST(PlanJsonTest, a_name_that_is_not_known_is_refused) {
  expect_edit_refused([](Json& json) { json["buffers"][0]["role"] = "shared"; },
                      "'buffers[0].role' is 'shared', which is not known there.");
  expect_edit_refused([](Json& json) { json["buffers"][0]["usage"][0] = "read"; },
                      "'buffers[0].usage' is 'read', which is not known there.");
  expect_edit_refused([](Json& json) { json["dispatches"][0]["bindings"][0]["buffer"] = "none"; },
                      "'dispatches[0].bindings[0].buffer' names 'none', which is not declared.");
  expect_edit_refused([](Json& json) { json["dispatches"][0]["node"] = "none"; },
                      "'dispatches[0].node' names 'none', which is not declared.");
  expect_edit_refused([](Json& json) { json["dispatches"][0]["kernel"] = "scan_block"; },
                      "'dispatches[0].specialisation' is 0, where no kernel 'scan_block' stands.");
  expect_edit_refused([](Json& json) { json["order"][1] = "other"; },
                      "'order' does not list the ids of 'nodes'.");
  expect_edit_refused([](Json& json) { json["nodes"][1]["after"][0] = "none"; },
                      "'nodes[1].after[0]' names 'none', which is not declared.");
  expect_edit_refused([](Json& json) { json["passes"][3]["kind"] = "draw"; },
                      "'passes[3].kind' is 'draw', which is not known there.");
  expect_edit_refused([](Json& json) { json["wgprim_plan"] = 2; },
                      "'wgprim_plan' is 2; this version reads format 1.");
}

TEST(PlanJsonTest, an_index_beyond_its_list_is_refused) {
  const Plan plan = complete_plan();
  const std::string dispatches = std::to_string(plan.dispatches.size());
  expect_edit_refused([](Json& json) { json["buffers"][0]["slot"] = 7; },
                      concat("'buffers[0].slot' is 7, where 'slots' has ", plan.slots.size(), "."));
  expect_edit_refused([](Json& json) { json["passes"][0]["end"] = 9; },
                      concat("'passes[0]' is [0, 9) of 'dispatches', which has ", dispatches, "."));
  expect_edit_refused([](Json& json) { json["passes"][0]["first"] = 4294967295; },
                      concat("'passes[0]' is [4294967295, ", passes_end(plan),
                             ") of 'dispatches', which has ", dispatches, "."));
  expect_edit_refused([](Json& json) { json["steps"][0]["end"] = 3; },
                      "'steps[0]' is [0, 3) of 'nodes', which has 2.");
  expect_edit_refused([](Json& json) { json["steps"][0]["end"] = 0; },
                      "'steps[0]' is [0, 0) of 'nodes', which has 2.");
}

TEST(PlanJsonTest, what_is_no_json_is_refused) {
  const std::string text = to_json(complete_plan());
  for (const std::string& damaged : {std::string(), text.substr(0, text.size() - 3), text + "}",
                                     "{'a': 1}" + text, text + text}) {
    const auto read = plan_from_json(damaged);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::invalid_file);
    EXPECT_TRUE(read.error().message.starts_with("The document is not valid JSON (line "));
  }
  expect_refused("{\n  \"order\": [],\n  \"nodes\": oops}",
                 "The document is not valid JSON (line 3, column 12).");
}

TEST(PlanJsonTest, hostile_nesting_ends_soon) {
  in_time([] {
    const std::size_t length = 1 << 20;
    for (const std::string& text :
         {std::string(length, '['), "{\"nodes\":" + std::string(length, '['),
          std::string(length, '[') + std::string(length, ']')}) {
      expect_refused(text, "The JSON document nests deeper than 32 levels.");
    }
    std::string objects;
    for (std::size_t i = 0; i < length / 5; ++i)
      objects += "{\"a\":";
    expect_refused(objects, "The JSON document nests deeper than 32 levels.");
  });
}

TEST(PlanJsonTest, a_plan_of_many_nodes_is_read_in_linear_time) {
  Plan plan;
  constexpr std::uint32_t kNodes = 100'000;
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    plan.buffers.push_back({.id = concat("b", i), .bytes = 4, .usage = kUsageStorage});
    plan.nodes.push_back({.id = concat("n", i), .operation = "clear", .writes = {i}});
    if (i > 0) plan.nodes.back().after = {i - 1};
    plan.passes.emplace_back(PlanClear{.node = i, .buffer = i, .bytes = 4});
  }
  in_time([&] { EXPECT_EQ(plan_from_json(to_json(plan)).value(), plan); });
}

}  // namespace
}  // namespace wgprim::testing
