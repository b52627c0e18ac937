import type { OptionsOf } from './check-options.ts'

/** Rules for what is hidden from everything that is stored or shown. */
export interface RedactionRules {
  /**
   * Names of members whose values are always hidden; `SECRET_KEYS` by default. `*` matches any text.
   * Case, `_`, `-`, `.` and spaces make no difference: `apikey` also matches `API_KEY`.
   */
  readonly keys?: readonly string[]
  /**
   * Secrets of at least six characters, hidden wherever they occur in a text: also in the escaped
   * forms of JSON and URLs, and each line of a secret with several lines.
   */
  readonly secrets?: readonly string[]
  /**
   * Prefixes of secrets that are not known in advance; `SECRET_PREFIXES` by default. A prefix at the
   * start of a word is hidden together with the token that follows, if the token has at least twenty
   * characters, or at least eight with a digit.
   */
  readonly prefixes?: readonly string[]
}

export const REDACTION_RULES: OptionsOf<RedactionRules> = {
  keys: 'texts',
  secrets: 'texts',
  prefixes: 'texts',
}

/** Names of members that only ever hold secrets. */
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

/** Prefixes of the keys of well-known services, and of credentials in headers. */
export const SECRET_PREFIXES: readonly string[] = [
  'sk-',
  'sk_live_',
  'sk_test_',
  'rk_live_',
  'whsec_',
  'ghp_',
  'gho_',
  'ghs_',
  'ghu_',
  'ghr_',
  'github_pat_',
  'glpat-',
  'xoxb-',
  'xoxp-',
  'xoxa-',
  'xapp-',
  'npm_',
  'hf_',
  'gsk_',
  'nvapi-',
  'pypi-AgE',
  'dop_v1_',
  'dckr_pat_',
  'hvs.',
  'lin_api_',
  'ya29.',
  'AKIA',
  'ASIA',
  'AIza',
  'Bearer ',
  'Basic ',
]
