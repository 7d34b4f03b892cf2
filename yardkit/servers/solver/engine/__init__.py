"""The work of the solver: text in, plain results out; every public function may take long and is called `bounded`."""
