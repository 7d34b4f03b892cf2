"""Work on listed companies, as the app `finance` of a world keeps them; everything is read, nothing changed."""
