import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

const CALLBACK = 'http://localhost:3000/callback'

/** A document about the client, which a server may read instead of registering it. */
const METADATA_URL = 'https://conformance-test.local/client-metadata.json'

interface KnownClient {
  readonly client_id?: string
  readonly client_secret?: string
}

/**
 * Returns a `fetch` with the OAuth of the SDK, for a server that grants access without a person: the page to which it
 * redirects has the code in its address.
 */
export function oauthFetch(serverUrl: string, { client_id, client_secret }: KnownClient) {
  const provider = new TestProvider()
  if (client_id !== undefined) {
    provider.saveClientInformation({
      client_id,
      ...(client_secret !== undefined && { client_secret }),
      redirect_uris: [CALLBACK],
    })
  }
  return async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const first = await authorisedFetch(provider, input, init)
    if (![401, 403].includes(first.status)) return first
    await authorise(provider, serverUrl, first)
    const second = await authorisedFetch(provider, input, init)
    if (![401, 403].includes(second.status)) return second
    throw new UnauthorizedError(`${String(input)} does not accept the token.`)
  }
}

function authorisedFetch(
  provider: TestProvider,
  input: string | URL,
  init?: RequestInit,
): Promise<Response> {
  const headers = new Headers(init?.headers)
  const tokens = provider.tokens()
  if (tokens) headers.set('Authorization', `Bearer ${tokens.access_token}`)
  return fetch(input, { ...init, headers })
}

/** Gets a token for the scope that a response asks for. */
async function authorise(
  provider: TestProvider,
  serverUrl: string,
  response: Response,
): Promise<void> {
  const { resourceMetadataUrl, scope: asked } = extractWWWAuthenticateParams(response)
  const granted = provider.tokens()?.scope
  // More rights are added to those that were granted before.
  const scope = response.status === 403 ? computeScopeUnion(granted, asked) : asked
  if (response.status === 401) provider.invalidateCredentials('discovery')
  const options = {
    serverUrl,
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    ...(scope !== undefined && { scope }),
  }
  const forceReauthorization = isStrictScopeSuperset(scope, granted)
  if ((await auth(provider, { ...options, forceReauthorization })) === 'AUTHORIZED') return
  const { code: authorizationCode, iss } = provider.redirected()
  const result = await auth(provider, {
    ...options,
    authorizationCode,
    ...(iss !== undefined && { iss }),
  })
  if (result !== 'AUTHORIZED') throw new UnauthorizedError(result)
}

class TestProvider implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadataUrl = METADATA_URL
  readonly clientMetadata = { client_name: 'loadout-conformance', redirect_uris: [CALLBACK] }
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined
  #redirected: { readonly code: string; readonly iss?: string } | undefined

  clientInformation() {
    return this.#client
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client
  }

  tokens(): OAuthTokens | undefined {
    return this.#tokens
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'client') this.#client = undefined
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined
    if (scope === 'all' || scope === 'verifier') this.#verifier = ''
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined
  }

  /** Opens the page as a browser would, and reads the code from the address to which it redirects. */
  async redirectToAuthorization(page: URL): Promise<void> {
    const { headers } = await fetch(page, { redirect: 'manual' })
    const { searchParams } = new URL(headers.get('location') ?? CALLBACK)
    const iss = searchParams.get('iss')
    const code = searchParams.get('code') ?? ''
    this.#redirected = { code, ...(iss !== null && { iss }) }
  }

  redirected() {
    if (this.#redirected === undefined) throw new UnauthorizedError('There was no redirect.')
    return this.#redirected
  }
}
