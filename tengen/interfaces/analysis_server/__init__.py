"""The server of `tengen analysis-server`: KataGo's JSON protocol for the analysis of many positions at once."""
