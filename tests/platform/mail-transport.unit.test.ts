import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openTransport } from '#platform/server/mail/transport.ts';
import { openReceiver } from '#tests/support/smtp.ts';

const MAIL = {
  to: 'ana@exemple.fr',
  subject: 'Bonjour',
  replyTo: undefined,
  messageId: '<1@cse.example>',
  date: new Date(),
  text: 'Bonjour',
  html: '<p>Bonjour</p>',
};
const FROM = { name: '', address: 'cse@exemple.fr' };
/** What came of an attempt that took too long: either the message or the relay may be the cause. */
const LEFT = { failure: { trouble: 'injoignable', whose: 'session', isFinal: false }, answer: null };

test('a server that never answers is left after the time of an attempt, and the next message gets through', async () => {
  const receiver = await openReceiver();
  const transport = openTransport(receiver.url, FROM, 300);
  receiver.answer = () => 'stall';
  expect(await transport.send(MAIL)).toEqual(LEFT);
  receiver.answer = () => undefined;
  expect(await transport.send(MAIL)).toEqual({ failure: undefined, answer: expect.stringMatching(/^250 /) });
  await transport.close();
  await receiver.close();
});

test('so is one that speaks a few letters at a time and never ends', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const drip = setInterval(() => socket.write('220-x\r\n'), 20);
    socket.on('error', () => {}).on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const transport = openTransport(`smtp://127.0.0.1:${port}`, FROM, 300);
  expect(await transport.send(MAIL)).toEqual(LEFT);
  await transport.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('what is not one plain address is given up without asking the server', async () => {
  const transport = openTransport('smtp://127.0.0.1:1', FROM);
  expect(await transport.send({ ...MAIL, to: 'ana@exemple.fr, bo@exemple.fr' })).toEqual({
    failure: { trouble: 'autre', whose: 'message', isFinal: true },
    answer: null,
  });
  await transport.close();
});
