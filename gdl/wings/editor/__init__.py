"""gdl for editors and for language models: the language server, grammars for colours, the Model Context Protocol."""
