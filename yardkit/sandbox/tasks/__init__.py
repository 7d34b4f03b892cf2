"""Tasks on disk: suites, parameters, kinds, instances, and the seeding of their worlds."""
