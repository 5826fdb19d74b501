import { createHash } from 'node:crypto';
import { type PhotoVersion, UPLOAD_PATH } from '#features/photos/shared/terms.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import type { Fetch } from './nginx.ts';

/** Photos sent by the protocol of tus, a request at a time. */

export interface Sender {
  /** `http://127.0.0.1:port` */
  origin: string;
  token: string | undefined;
  stageId: number;
  /** How it asks, where the global one cannot. */
  fetch?: Fetch;
}

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
  json: any;
}

const TUS = { 'tus-resumable': '1.0.0' };
const OFFSET = 'upload-offset';

export const fingerprint = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export interface Said {
  filename?: string;
  version?: PhotoVersion;
  empreinte?: string;
  prise_le?: string;
  appareil?: string;
  choisie_depuis?: string;
}

/** The metadata of a full version, but for what is said otherwise. */
export function metadata(stageId: number, bytes: Uint8Array, said: Said = {}): string {
  const all = {
    ...{ stageId: String(stageId), filename: 'IMG_1.jpg', filetype: 'image/jpeg', version: 'complete' },
    ...{ empreinte: said.empreinte ?? fingerprint(bytes), ...said },
  };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Any request of the protocol; `path` is that of an upload. */
export async function request(
  { origin, token, fetch: ask = fetch }: Pick<Sender, 'origin' | 'token' | 'fetch'>,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Uint8Array,
): Promise<Reply> {
  const answer = await ask(`${origin}${path}`, {
    method,
    headers: { ...TUS, ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: text === '' ? undefined : JSON.parse(text) };
}

/** Asks for a new upload of so many bytes. */
export function create(sender: Sender, bytes: Uint8Array, said: Said = {}): Promise<Reply> {
  return request(sender, 'POST', `${API_PREFIX}${UPLOAD_PATH}`, {
    'upload-length': String(bytes.length),
    'upload-metadata': metadata(sender.stageId, bytes, said),
  });
}

/** Sends the bytes from an offset to another. */
export function patch(
  sender: Sender,
  path: string,
  bytes: Uint8Array,
  from = 0,
  to = bytes.length,
): Promise<Reply> {
  const headers = { 'content-type': 'application/offset+octet-stream', [OFFSET]: String(from) };
  return request(sender, 'PATCH', path, headers, bytes.subarray(from, to));
}

/** How much of an upload has arrived; undefined for one that is none. */
export async function arrived(sender: Sender, path: string): Promise<number | undefined> {
  const { status, headers } = await request(sender, 'HEAD', path);
  return status === 200 ? Number(headers.get(OFFSET)) : undefined;
}

/** Sends a whole photo; the answer is the first that is no success, or the last. */
export async function send(sender: Sender, bytes: Uint8Array, said: Said = {}): Promise<Reply> {
  const created = await create(sender, bytes, said);
  if (created.status !== 201) return created;
  return patch(sender, created.headers.get('location') ?? '', bytes);
}

/** Sends the first bytes of a photo, and no more. */
export async function begin(sender: Sender, bytes: Uint8Array): Promise<string> {
  const created = await create(sender, bytes);
  const path = created.headers.get('location') ?? '';
  const { status } = await patch(sender, path, bytes, 0, 10);
  if (status !== 204) throw new Error(`an upload cannot be begun: ${created.status}, ${status}`);
  return path;
}
