"""Industrial plants: delays, external factors, safety costs, and data of plain controllers."""
