import { domainToASCII } from 'node:url';
import { emailAddress } from '#platform/shared/text.ts';

/** Addresses as a mail server is told them. */

export interface Sender {
  /** Blank: the address alone. */
  name: string;
  address: string;
}

const plain = emailAddress(254);

/** The address if it is exactly one plain one, else undefined. */
export function plainAddress(text: string): string | undefined {
  const read = plain.safeParse(text);
  return read.success && read.data !== '' ? read.data : undefined;
}

/** `a@b.fr` or `Nom <a@b.fr>`, whose host may have accents; undefined for anything else. */
export function parseSender(text: string): Sender | undefined {
  const [, name = '', named, alone] = /^(?:([^<>\p{Cc}]*)<([^<>]+)>|([^<>]+))$/u.exec(text.trim()) ?? [];
  const [local = '', host = '', ...more] = (named ?? alone ?? '').trim().split('@');
  const address = more.length === 0 ? plainAddress(`${local}@${domainToASCII(host)}`) : undefined;
  return address === undefined ? undefined : { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}

/** Is this host, as `URL` says it, this very machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** An address as it is compared. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}
