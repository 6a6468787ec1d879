// Running totals per group of a table: what each customer has spent so far, order by order. One
// inclusive scan over all orders, whose segments start where the customer changes.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "wgprim/wgprim.hpp"

namespace {

/// Columns of a table that is sorted by customer.
struct Orders {
  std::vector<std::string> customers, months;
  std::vector<std::uint32_t> cents;
  std::vector<std::uint32_t> starts;  ///< 1 where a customer's orders begin.
};

Orders read_orders(const char* path) {
  Orders orders;
  std::ifstream file(path);
  std::string customer, month, cents;
  std::getline(file, customer);  // The names of the columns.
  while (std::getline(file, customer, ',') && std::getline(file, month, ',') &&
         std::getline(file, cents)) {
    const bool is_new = orders.customers.empty() || orders.customers.back() != customer;
    orders.starts.push_back(is_new ? 1 : 0);
    orders.customers.push_back(customer);
    orders.months.push_back(month);
    orders.cents.push_back(static_cast<std::uint32_t>(std::stoul(cents)));
  }
  return orders;
}

std::vector<std::uint32_t> totals_on_the_host(const Orders& orders) {
  std::vector<std::uint32_t> totals;
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < orders.cents.size(); ++i) {
    total = orders.starts[i] != 0 ? orders.cents[i] : total + orders.cents[i];
    totals.push_back(total);
  }
  return totals;
}

void print(const Orders& orders, const std::vector<std::uint32_t>& totals) {
  std::printf("%-10s  %-7s  %9s  %9s\n", "customer", "month", "order", "so far");
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const bool is_new = orders.starts[i] != 0;
    std::printf("%-10s  %-7s  %9.2f  %9.2f\n", is_new ? orders.customers[i].c_str() : "",
                orders.months[i].c_str(), orders.cents[i] / 100.0, totals[i] / 100.0);
  }
}

}  // namespace

int main(int count, char** words) {
  const Orders orders = read_orders(count > 1 ? words[1] : "data/orders.csv");
  if (orders.cents.empty()) return std::fprintf(stderr, "There are no orders to read.\n"), 1;
  auto device = wgprim::Device::create();
  if (!device) return std::fprintf(stderr, "%s\n", device.error().message.c_str()), 1;

  const auto totals = wgprim::inclusive_scan(*device, orders.cents, {}, orders.starts);
  if (!totals) return std::fprintf(stderr, "%s\n", totals.error().message.c_str()), 1;

  print(orders, *totals);
  return *totals == totals_on_the_host(orders) ? 0 : 1;
}
