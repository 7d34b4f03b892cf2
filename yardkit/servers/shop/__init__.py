"""A web shop: products and stock, orders and refunds, customers, coupons, reviews and sales."""

GROUP = "apps"
