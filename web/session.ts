/**
 * The tokens kept by this browser, under the names the site has always used: `adminToken` for the portal,
 * `token` for families, directors and readers. A browser that refuses storage keeps nobody signed in, and
 * everything else works.
 */
type TokenName = 'adminToken' | 'token';

function storage(): Storage | undefined {
  try {
    return typeof window === 'undefined' ? undefined : window.localStorage;
  } catch {
    return undefined;
  }
}

function readToken(name: TokenName): string | null {
  return storage()?.getItem(name) ?? null;
}

/** The token to present: the portal's before the other, as staff may hold both. */
export function presentedToken(): string | null {
  return readToken('adminToken') ?? readToken('token');
}
