import { setFlagsFromString } from 'node:v8';

// No static import of the database here: on an older Node its native part would crash before this sentence.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    'Passerelle demande Node 24 ou plus récent\u202f: lancez-la par «\u00a0npm start\u00a0».\n',
  );
  process.exit(1);
}

// What a start reads stays: room for what soon goes would only be grown for it, and held from then on.
setFlagsFromString('--semi-space-growth-factor=1');
const { runServer } = await import('./run.ts');
await runServer();
// As V8 has it, for those who come.
setFlagsFromString('--semi-space-growth-factor=2');
