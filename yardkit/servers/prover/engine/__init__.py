"""The work of the prover: text in, plain results out; every public function may take long and is called `bounded`."""
