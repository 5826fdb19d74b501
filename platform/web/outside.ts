/**
 * Reports a page view to a service outside the site: the path, and nothing by which the service could recognise
 * the visitor. Failures are ignored, as counting must not disturb reading.
 */
export function tellOutside(address: string, page: string): void {
  fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ page }),
    mode: 'no-cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    keepalive: true,
  }).catch(() => {});
}
