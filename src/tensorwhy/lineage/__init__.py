"""From events to lineage: ancestry, what a tape recorded, and the smallest set of breaks between target and source."""
