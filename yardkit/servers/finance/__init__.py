"""Listed companies: quotes, daily prices, dividends and splits, statements, holders, options, news."""

GROUP = "apps"
