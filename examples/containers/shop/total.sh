#!/bin/sh
# What a basket such as ?tea,cake costs, by the prices of the other service.
prices=$(wget -q -O - "$PRICES_URL") || { printf 'Status: 502 Bad Gateway\r\n\r\n'; exit; }
total=0
for item in $(echo "$QUERY_STRING" | tr -cd 'a-z,' | tr ',' ' '); do
  price=$(echo "$prices" | sed -n "s/^$item //p")
  total=$((total + ${price:-0}))
done
printf 'Content-Type: application/json\r\n\r\n{"total":%d}\n' "$total"
