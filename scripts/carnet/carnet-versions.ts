/** A version of Carnet whose own tests are run. */
interface CarnetVersion {
  readonly version: '0.3.0' | '0.3.1'
  readonly commit: string
}

/** 0.3.0 is the version on npm, 0.3.1 the head of the repository. */
export const CARNET_VERSIONS: readonly CarnetVersion[] = [
  { version: '0.3.0', commit: '4b08979752ee1de2c836649941bc22ce9a50203a' },
  { version: '0.3.1', commit: '2567ec97acb817a2a7a2ba65ae6b957e5192082d' },
]

/** The files in `tests` that test nothing public, each with the reason why it is not run. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'lib/builder.test.ts': 'calls `build`, which is private; the tests of the command run it',
  'lib/config.test.ts': 'calls `loadEnvConfig` and `mergeConfigurations`, which are private',
  'lib/discovery.test.ts': 'calls `discoverAgents` and `discoverTools`, which are private',
  'lib/dynamic-prompt-generator.test.ts': 'makes a `DynamicPromptGenerator`, which is private',
  'lib/parser.test.ts': 'calls `parseMarkdownFile` and `parseToolFile`, which are private',
  'lib/schemas.test.ts': 'parses with schemas of zod, which are private',
  'lib/tool-filtering.test.ts': 'calls `mergeToolSets`, which is private',
}
