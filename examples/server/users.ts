/** Who may talk to the shop, by bearer token. A real host asks its own users. */
const USERS: ReadonlyMap<string, string> = new Map([
  ['token-of-ada', 'ada'],
  ['token-of-bob', 'bob'],
  ['token-of-eve', 'eve'],
])

/** The user of a request, by its `Authorization` header; null for nobody we know. */
export function userOf(authorization: string | undefined): string | null {
  return USERS.get(authorization?.replace(/^Bearer /, '') ?? '') ?? null
}
