import { decoderCheck } from '#platform/server/checks/machine.ts';
import { readConfig } from '#platform/server/config.ts';

/* Runs in a process that can start no other one, as on a machine where none can be confined; says what is told of it. */

process.once('message', async (directory: string) => {
  const { staff, operator } = decoderCheck(readConfig({ DATA_DIR: directory }));
  process.send?.({ staff: await staff?.(), operator: await operator?.(false) });
});
