"""From events to lineage: ancestry, what was recorded, and the smallest set of breaks between target and source."""
