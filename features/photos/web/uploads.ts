import { type DetailedError, Upload } from 'tus-js-client';
import { UPLOAD_PATH } from '#features/photos/shared/terms.ts';
import { API_PREFIX, CallError, NO_ANSWER, refusal } from '#platform/web/api.ts';

/** Bytes of one request: what a cut line has to send anew at most. */
const CHUNK = 5 * 1024 * 1024;
/** Time, in ms, after which a line on which nothing moves is taken for cut. */
const STILL_MS = 45_000;
/** Of a request that goes on with a file: the server has no longer, or not yet, what this browser believes. */
const OUT_OF_STEP = [404, 409, 410, 423];

interface SendOptions {
  token: string;
  metadata: Record<string, string>;
  /** Where this file was being sent before; blank: a new one. */
  address: string;
  onAddress(address: string): void;
  /** Told how many bytes have left. */
  onProgress(sent: number): void;
  signal: AbortSignal;
}

/** Sends a file in parts, going on where it stopped. Throws `CallError`; status 0: to be tried again. */
export function sendInParts(file: Blob, options: SendOptions): Promise<void> {
  const { token, metadata, address, onAddress, onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      settle();
    };
    const stop = () => {
      void upload.abort();
      end(() => reject(new CallError(0, NO_ANSWER)));
    };
    const moved = () => {
      clearTimeout(timer);
      timer = setTimeout(stop, STILL_MS);
    };
    const upload = new Upload(file, {
      endpoint: new URL(`${API_PREFIX}${UPLOAD_PATH}`, window.location.origin).href,
      ...(address && { uploadUrl: address }),
      chunkSize: CHUNK,
      headers: { authorization: `Bearer ${token}` },
      metadata,
      // Whoever calls knows when, and keeps addresses where they can be forgotten.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => upload.url && onAddress(upload.url),
      onProgress: (sent) => {
        moved();
        onProgress(sent);
      },
      onSuccess: () => end(resolve),
      onError: (error) => end(() => reject(failureOf(error, token))),
    });
    signal.addEventListener('abort', stop);
    moved();
    if (signal.aborted) stop();
    else upload.start();
  });
}

function failureOf(error: Error, token: string): CallError {
  const { originalRequest, originalResponse } = error as Partial<DetailedError>;
  const status = originalResponse?.getStatus() ?? 0;
  const isOutOfStep = originalRequest?.getMethod() !== 'POST' && OUT_OF_STEP.includes(status);
  if (status === 0 || isOutOfStep) return new CallError(0, NO_ANSWER);
  return refusal(status, originalResponse?.getBody() ?? '', token);
}
