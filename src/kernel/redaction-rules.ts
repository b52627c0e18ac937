/** What is hidden from all that is stored and shown. */
export interface RedactionRules {
  /**
   * Names of members whose values are hidden, whatever they are; `SECRET_KEYS` when absent. `*` stands
   * for anything. Case, `_`, `-`, `.` and spaces make no difference: `apikey` is `API_KEY`, too.
   */
  readonly keys?: readonly string[]
  /**
   * Secrets as they are, of at least six characters, wherever they stand in a text: also as JSON and
   * URLs write them, and each line of one of several lines.
   */
  readonly secrets?: readonly string[]
  /**
   * How secrets begin that nobody knows beforehand; `SECRET_PREFIXES` when absent. One that begins a
   * word is hidden with what follows, when that is a token of twenty characters, or of eight and a digit.
   */
  readonly prefixes?: readonly string[]
}

/** Names of members that hold secrets and nothing else. */
export const SECRET_KEYS: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  '*secret',
  'secretkey',
  '*apikey',
  'privatekey',
  'accesskey',
  'secretaccesskey',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'apitoken',
  'authtoken',
  'bearertoken',
  'sessiontoken',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'credentials',
]

/** How keys of well-known services begin, and credentials in headers. */
export const SECRET_PREFIXES: readonly string[] = [
  'sk-',
  'sk_live_',
  'rk_live_',
  'ghp_',
  'gho_',
  'ghs_',
  'github_pat_',
  'glpat-',
  'xoxb-',
  'xoxp-',
  'npm_',
  'hf_',
  'AKIA',
  'ASIA',
  'AIza',
  'Bearer ',
  'Basic ',
]
