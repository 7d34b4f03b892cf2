"""The sentences of the article of office/footnotes_fix: ``{m}`` is where a note may be referred to."""

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Introduction",
        (
            "Nitrate in drinking water is a concern wherever fields are fertilised every year{m}.",
            "Private wells are seldom tested{m}, although one household in nine depends on them.",
            "Earlier surveys looked at public waterworks only{m}.",
            "The owners themselves rarely know how deep their wells are{m}.",
            "We therefore asked whether depth alone explains what is measured{m}.",
            'One owner called his well "the cleanest [sic] water of the county".',
        ),
    ),
    (
        "Study area",
        (
            "The area lies between two rivers{m} and is used for maize and potatoes.",
            "Its soils are sandy{m}, so that rain reaches the groundwater within weeks.",
            "Most wells were drilled before the first map of the aquifer was printed{m}.",
            "The groundwater flows from the hills in the south to the coast{m}.",
            "Farms keep more animals than the land can feed{m}.",
            "Rainfall is spread evenly over the year.",
        ),
    ),
    (
        "Methods",
        (
            "Samples were taken at the tap after ten minutes of running water{m}.",
            "All samples were analysed within a day{m}, in the order of their arrival.",
            "Values were scaled to the interval [0, 50] before they were compared.",
            "A test kit costs $4 in the shop and $3 by the dozen.",
            "Owners filled in a questionnaire on depth, age and use{m}.",
            "Wells without a known depth were left out{m}.",
        ),
    ),
    (
        "Results",
        (
            "In every third well the limit was exceeded{m}.",
            "Shallow wells had higher values than deep ones{m}, with few exceptions.",
            "Values were highest in spring{m}.",
            "Wells close to stables stood out{m}, whatever their depth.",
            "Repeated samples of one well differed little.",
            "The age of a well had no influence of its own{m}.",
        ),
    ),
    (
        "Discussion",
        (
            "The survey confirms that depth matters{m}, yet it is not all.",
            "Our values are somewhat higher than those reported elsewhere{m}.",
            "Owners who took part may be more careful than others{m}.",
            "A second survey after a dry year would be useful{m}.",
            "Deeper wells are no lasting solution{m}, because nitrate moves downwards.",
            "Advice to owners costs little and helps at once.",
        ),
    ),
)
FIGURES: tuple[tuple[str, str, str], ...] = (
    ("Number of wells by municipality", "The number of wells by municipality is given in {r}.", "Study area"),
    ("Depth of the wells", "The depth of the wells varies widely, as {r} shows.", "Methods"),
    ("Nitrate by depth", "How nitrate depends on the depth can be seen in {r}.", "Results"),
    ("Nitrate by month", "The course of nitrate over the months ({r}) follows the rain.", "Results"),
    ("Share of wells above the limit", "The share of wells above the limit is compared in {r}.", "Discussion"),
)
"""Caption, the sentence that refers to it, and the section in which it stands."""
DISPLAYED: tuple[str, ...] = (
    r"\bar{c} = \frac{1}{n} \sum_{i=1}^{n} c_i",
    r"s = \sqrt{\frac{1}{n - 1} \sum_{i=1}^{n} (c_i - \bar{c})^2}",
    r"c(t) = c_0 e^{-k t} + \frac{q}{k}",
    r"R^2 = 1 - \frac{S_{res}}{S_{tot}}",
    r"z = \frac{c_1 - c_2}{\sqrt{s_1^2 + s_2^2}}",
)
INLINE: tuple[tuple[str, str], ...] = (
    (r"\alpha = 0.05", "The level of significance is {e} in all tests."),
    (r"c_{max} = 50", "The limit is {e} in milligrams per litre."),
    (r"r^2 = 0.61", "The fit with depth alone reaches {e} at best."),
    (r"\lambda = 0.3", "The rate of decay is {e} per year."),
)
TITLES: tuple[str, ...] = (
    "Groundwater under sandy soils",
    "Fertiliser and private wells",
    "Nitrate in rural households",
    "Mapping the shallow aquifer",
    "Wells and their owners",
    "Sampling at the tap",
    "Manure and drinking water",
    "Seasons of the groundwater",
    "A survey of well depths",
    "Limits and their history",
    "Advice for well owners",
    "Denitrification at depth",
)
JOURNALS: tuple[str, ...] = ("Journal of Rural Water", "Hydrology Letters", "Soil and Well", "Annals of Groundwater")
