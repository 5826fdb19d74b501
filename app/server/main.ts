// No static import of the database here: on an older Node its native part would crash before this sentence.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    'Passerelle demande Node 24 ou plus récent\u202f: lancez-la par «\u00a0npm start\u00a0».\n',
  );
  process.exit(1);
}

const { runServer } = await import('./run.ts');
await runServer();
