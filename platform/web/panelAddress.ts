/** Where a panel of the portal stands; its key is in `app/portal/panels.tsx`. */
export function panelAddress(key: string): string {
  return `/portail?panneau=${key}`;
}
