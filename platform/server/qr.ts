import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import type { z } from 'zod';
import type { qrCode } from '#platform/shared/call.ts';

export function qrOf(text: string): z.infer<typeof qrCode> {
  const code = generate(text, { minCorrectionLevel: correction.M });
  return { taille: code.size, trace: toSvgPath(code) };
}
