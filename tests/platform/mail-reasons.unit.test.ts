import { expect, test } from 'vitest';
import { answerOf, type Failure, readFailure } from '#platform/server/mail/transport.ts';
import type { MailTrouble } from '#platform/shared/mails.ts';

/** What an answer to the recipient's address, or to the text, leads to. */
const ANSWERS: [answer: string, trouble: MailTrouble, whose: Failure['whose'], isFinal: boolean][] = [
  [
    '550 5.1.1 <lou@exemple.fr>: Recipient address rejected: User unknown',
    'adresse_inconnue',
    'message',
    true,
  ],
  [
    '550-5.1.1 The email account that you tried to reach does\n550 5.1.1 not exist',
    'adresse_inconnue',
    'message',
    true,
  ],
  ['550 No such user here', 'adresse_inconnue', 'message', true],
  ['550 5.5.0 Requested action not taken: mailbox unavailable', 'adresse_inconnue', 'message', true],
  ['550 5.1.2 Bad destination system', 'domaine_inconnu', 'message', true],
  ['550 5.4.4 Unable to route: no mail hosts for domain', 'domaine_inconnu', 'message', true],
  ['556 5.1.10 RESOLVER.ADR; domain has a null MX', 'domaine_inconnu', 'message', true],
  ['550 Recipient address rejected: Domain not found', 'domaine_inconnu', 'message', true],
  ['552 5.2.2 Over quota', 'boite_pleine', 'message', true],
  ['552 Requested mail action aborted: exceeded storage allocation', 'boite_pleine', 'message', true],
  ['550 The mailbox is full', 'boite_pleine', 'message', true],
  ['452 4.2.2 The email account that you tried to reach is over quota', 'boite_pleine', 'message', false],
  ['450 4.2.2 Mailbox full', 'boite_pleine', 'message', false],
  ['550 5.2.1 The email account that you tried to reach is disabled', 'boite_fermee', 'message', true],
  ['554 This user account has been disabled or discontinued', 'boite_fermee', 'message', true],
  ['554 5.7.1 Message rejected under suspicion of SPAM', 'refuse', 'message', true],
  ['550 5.7.1 Service refused, please contact your provider', 'refuse', 'message', true],
  ['550 spam detected', 'refuse', 'message', true],
  ['554 Transaction failed', 'refuse', 'message', true],
  ['421 4.7.0 Too many connections, slow down', 'ralentit', 'lane', false],
  ['450 4.7.1 Greylisted, try again in 300 seconds', 'ralentit', 'lane', false],
  ['451 Too many errors from your address', 'ralentit', 'lane', false],
  ['454 4.7.0 Temporary trouble', 'ralentit', 'lane', false],
  ['550 5.4.5 Daily user sending limit exceeded', 'ralentit', 'session', false],
  ['550 5.7.1 Hourly sending quota exceeded', 'ralentit', 'session', false],
  ['554 5.7.1 <lou@exemple.fr>: Relay access denied', 'compte_refuse', 'session', false],
  ['530 5.7.0 Authentication required', 'compte_refuse', 'session', false],
  [
    '553 5.7.1 <cse@exemple.fr>: Sender address rejected: not owned by user',
    'expediteur_refuse',
    'session',
    false,
  ],
  ['503 5.5.1 Bad sequence of commands', 'autre', 'message', false],
  ['550 Non', 'autre', 'message', true],
  ['432 Non', 'autre', 'message', false],
];

test.each(ANSWERS)('« %s » is %s', (response, trouble, whose, isFinal) => {
  const error = {
    code: 'EENVELOPE',
    command: 'RCPT TO',
    responseCode: Number(response.slice(0, 3)),
    response,
  };
  expect(readFailure(error)).toEqual({ trouble, whose, isFinal });
  expect(readFailure({ ...error, code: 'EMESSAGE', command: 'DATA' })).toEqual({ trouble, whose, isFinal });
});

/** What is no answer about the message. */
const ERRORS: [error: object, trouble: MailTrouble, whose: Failure['whose']][] = [
  [
    { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, response: '535 5.7.8 Error' },
    'compte_refuse',
    'relay',
  ],
  [{ code: 'EAUTH', command: 'API' }, 'compte_refuse', 'relay'],
  [
    { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553, response: '553 5.1.8 Sender rejected' },
    'expediteur_refuse',
    'relay',
  ],
  [
    {
      code: 'EENVELOPE',
      command: 'MAIL FROM',
      responseCode: 530,
      response: '530 5.7.0 Authentication required',
    },
    'compte_refuse',
    'relay',
  ],
  [
    { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 451, response: '451 4.3.2 Not now' },
    'ralentit',
    'relay',
  ],
  [{ code: 'EDNS', command: 'CONN', originalCode: 'ENOTFOUND' }, 'injoignable', 'relay'],
  [{ code: 'ESOCKET', command: 'CONN', originalCode: 'ECONNREFUSED' }, 'injoignable', 'relay'],
  [{ code: 'ESOCKET', command: 'CONN', originalCode: 'EHOSTUNREACH' }, 'injoignable', 'relay'],
  [{ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'CONNECT_TIMEOUT' }, 'injoignable', 'relay'],
  [{ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'GREETING_TIMEOUT' }, 'injoignable', 'relay'],
  [
    { code: 'EPROTOCOL', command: 'CONN', responseCode: 554, response: '554 No mail here' },
    'injoignable',
    'relay',
  ],
  [{ code: 'ECONNECTION', command: 'EHLO', responseCode: 502, response: '502 What' }, 'injoignable', 'relay'],
  [{ code: 'ECONNECTION' }, 'injoignable', 'relay'],
  [{ code: 'ETLS', command: 'STARTTLS', responseCode: 502, response: '502 No' }, 'non_chiffre', 'relay'],
  [{ code: 'ESOCKET', command: 'CONN', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'non_chiffre', 'relay'],
  [
    { code: 'ESOCKET', command: 'CONN', originalCode: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    'non_chiffre',
    'relay',
  ],
  [
    { code: 'ESOCKET', command: 'CONN', originalCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    'non_chiffre',
    'relay',
  ],
  [{ code: 'ECONNECTION', command: 'CONN' }, 'coupe', 'session'],
  [{ code: 'ESOCKET', command: 'CONN', originalCode: 'ECONNRESET' }, 'coupe', 'session'],
  [{ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'SOCKET_TIMEOUT' }, 'injoignable', 'session'],
  [{ code: 'EABORT' }, 'injoignable', 'session'],
  [{ code: 'ECONNECTION', command: 'CONN', responseCode: 421, response: '421 Closing' }, 'ralentit', 'lane'],
  [new TypeError('unforeseen'), 'autre', 'message'],
];

test.each(ERRORS)('%o is %s, of the %s', (error, trouble, whose) => {
  expect(readFailure(error)).toEqual({ trouble, whose, isFinal: false });
});

test('an address that cannot be one is given up', () => {
  expect(readFailure({ code: 'EENVELOPE' })).toEqual({ trouble: 'autre', whose: 'message', isFinal: true });
});

test('an answer is kept as one line of 300 characters at most, that any database takes', () => {
  expect(answerOf('550-Non\r\n550\u0000 non')).toBe('550-Non 550 non');
  expect(answerOf(`550 ${'é'.repeat(1000)}`)).toHaveLength(300);
  expect(answerOf(`550 \ud83c`)).toBe('550 \ufffd');
  expect(answerOf('550 5.1.1 <lou@exemple.fr>: forwarded to bo@free.fr, unknown')).toBe(
    '550 5.1.1 … forwarded to … unknown',
  );
  expect(answerOf(undefined)).toBeNull();
  expect(answerOf(' \r\n')).toBeNull();
});
