"$MTLCAP" help hazards
