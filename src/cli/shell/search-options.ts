import { Option } from 'commander'

/** What the commands take that search. */
export interface SearchOptions {
  readonly kind?: 'tool' | 'skill'
  readonly embed?: string
  readonly embedUrl?: string
  readonly embedCache?: string
}

export function searchOptions(): readonly Option[] {
  return [
    new Option('--kind <kind>', 'only tools, or only skills').choices(['tool', 'skill']),
    new Option('--embed <model>', 'search by vectors of this model, too'),
    new Option('--embed-url <url>', 'where it runs, such as http://localhost:11434/v1'),
    new Option('--embed-cache <file>', 'where its embeddings are kept'),
  ]
}
