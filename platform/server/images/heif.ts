import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js';
import { PictureRefused, type Refusal } from './tasks.ts';

/*
 * HEIC and AVIF by libheif itself, as the JavaScript that comes with it hides its errors: which picture of a file is the
 * primary one, what it says of itself, and, of a HEIC, its pixels.
 */

/** How numbers become colours, by the tables of ITU-T H.273. */
export interface Coding {
  primaries: number;
  transfer: number;
  isFullRange: boolean;
}

/** The primary picture of a file. */
export interface Heif {
  /** Of the upright picture, in pixels. */
  width: number;
  height: number;
  isGrey: boolean;
  /** Its EXIF and its XMP, one after the other. */
  said: Buffer;
  icc: Buffer | undefined;
  coding: Coding | undefined;
  /** Pixels of a HEIC, upright, of 16 bits if `isDeep`; gone once it is closed. Throws `PictureRefused` where any is missing. */
  decode(isDeep: boolean): { data: Uint8Array | Uint16Array; channels: 3 | 4 };
  close(): void;
}

/** What its errors mean but those of a damaged file: a form that it does not know, and a limit of its own or of `memory`. */
const REFUSALS: Partial<Record<number, Refusal>> = {
  3: 'unknown',
  4: 'unknown',
  6: 'too-large',
  11: 'unknown',
};
/** Where libheif keeps what is set here, in bytes, in the version of each structure that has it there. */
const LIMITS = { version: 4, totalMemory: 64 };
const OPTIONS = { version: 10, strict: 21 };
/** Numbers of libheif: a space of colours, a channel, and forms of RGB with 3 and 4 channels of 8 bits, then of 16. */
const [RGB, INTERLEAVED, GREY] = [1, 10, 2];
const FORMS = { 3: [10, 14], 4: [11, 15] } as const;
/** Bytes of an error, and of what is found behind it. */
const ERROR = 12;
const FOUND = 64;

let loading: Promise<MainModule> | undefined;

/** Opens a file. `memory`: bytes that its pictures may take while they are decoded. Throws `PictureRefused`. */
export async function openHeif(bytes: Buffer, memory: number): Promise<Heif> {
  // Loaded for such a file alone: it takes a third of the start of the process.
  loading ??= import('libheif-js/libheif-wasm/libheif.js').then(({ default: load }) =>
    // What it declares is not what it exports.
    (load as unknown as () => MainModule)(),
  );
  const lib = await loading;
  const taken: [free: (place: number) => void, place: number][] = [];
  /** Something of libheif that is freed when the file is closed. */
  const own = (place: number, free: (place: number) => void) => {
    taken.push([free, place]);
    return place;
  };
  const close = () => {
    for (const [free, place] of taken.splice(0).reverse()) free(place);
  };
  const numberAt = (place: number) => lib.HEAPU32[place >> 2] as number;
  const bytesAt = (place: number, length: number) => Buffer.from(lib.HEAPU8.subarray(place, place + length));
  const textAt = (place: number) => bytesAt(place, lib.HEAPU8.indexOf(0, place) - place).toString();
  const error = own(lib._malloc(ERROR + FOUND), lib._free);
  const found = error + ERROR;
  /** Throws what the last function has written into `error`; returns the place of what it has found. */
  const given = (refusals = REFUSALS) => {
    const code = numberAt(error);
    if (code === 0) return numberAt(found);
    throw new PictureRefused(refusals[code] ?? 'unreadable', { cause: textAt(numberAt(error + 8)) });
  };
  const atVersion = ({ version }: { version: number }, place: number) => {
    if (lib.HEAPU8[place] !== version) throw new Error('another version of libheif than the one known here');
    return place;
  };
  /** The bytes that a function writes; undefined when there are none. */
  const copied = (length: number, write: (place: number) => void) => {
    if (length === 0) return undefined;
    const place = lib._malloc(length);
    try {
      write(place);
      given();
      return bytesAt(place, length);
    } finally {
      lib._free(place);
    }
  };

  try {
    const file = own(lib._malloc(bytes.length), lib._free);
    lib.HEAPU8.set(bytes, file);
    const context = own(lib._heif_context_alloc(), lib._heif_context_free);
    const limits = atVersion(LIMITS, lib._heif_context_get_security_limits(context));
    lib.HEAPU32.set([memory, 0], (limits + LIMITS.totalMemory) >> 2);
    lib._heif_context_read_from_memory_without_copy(error, context, file, bytes.length, 0);
    given();
    const count = lib._heif_context_get_number_of_items(context);
    if (count < itemsSaid(bytes))
      throw new PictureRefused('unreadable', { cause: 'items of its table are missing' });
    // Of an AVIF, sharp shows tiles that are missing as well.
    const items = own(lib._malloc(4 * count), lib._free);
    lib._heif_context_get_list_of_item_IDs(context, items, count);
    for (let at = 0; at < count; at++) {
      lib._heif_item_get_item_data(error, context, numberAt(items + 4 * at), found + 8, found, found + 4);
      given();
      lib._heif_release_item_data(context, found);
    }
    lib._heif_context_get_primary_image_handle(error, context, found);
    const handle = own(given(), lib._heif_image_handle_release);
    const width = lib._heif_image_handle_get_width(handle);
    const height = lib._heif_image_handle_get_height(handle);

    const ids = lib._heif_image_handle_get_list_of_metadata_block_IDs(handle, 0, found, FOUND / 4);
    const blocks = Array.from(lib.HEAPU32.subarray(found >> 2, (found >> 2) + ids), (id: number) =>
      copied(lib._heif_image_handle_get_metadata_size(handle, id), (place) =>
        lib._heif_image_handle_get_metadata(error, handle, id, place),
      ),
    );
    const said = Buffer.concat(blocks.filter((one) => one !== undefined));
    const icc = copied(lib._heif_image_handle_get_raw_color_profile_size(handle), (place) =>
      lib._heif_image_handle_get_raw_color_profile(error, handle, place),
    );
    lib._heif_image_handle_get_preferred_decoding_colorspace(error, handle, found, found + 4);
    const isGrey = given() === GREY;
    lib._heif_image_handle_get_nclx_color_profile(error, handle, found);
    const nclx = numberAt(error) === 0 ? own(numberAt(found), lib._heif_nclx_color_profile_free) : undefined;
    const coding =
      nclx === undefined
        ? undefined
        : {
            primaries: numberAt(nclx + 4),
            transfer: numberAt(nclx + 8),
            isFullRange: lib.HEAPU8[nclx + 16] === 1,
          };

    const decode: Heif['decode'] = (isDeep) => {
      const options = own(lib._heif_decoding_options_alloc(), lib._heif_decoding_options_free);
      lib.HEAPU8[atVersion(OPTIONS, options) + OPTIONS.strict] = 1;
      const channels = lib._heif_image_handle_has_alpha_channel(handle) === 1 ? 4 : 3;
      lib._heif_decode_image(error, handle, found, RGB, FORMS[channels][isDeep ? 1 : 0], options);
      // There is room for it: the limit is one that libheif draws too close around what it shows of a picture (clap).
      const image = own(given({ ...REFUSALS, 6: 'unknown' }), lib._heif_image_release);
      if (lib._heif_image_get_decoding_warnings(image, 0, error, 1) > 0) given();
      const start = lib._heif_image_get_plane_readonly2(image, INTERLEAVED, found);
      // Rows without what lies between them.
      const [step, row] = [numberAt(found), width * channels * (isDeep ? 2 : 1)];
      if (step > row)
        for (let y = 1; y < height; y++)
          lib.HEAPU8.copyWithin(start + y * row, start + y * step, start + y * step + row);
      if (!isDeep) return { data: lib.HEAPU8.subarray(start, start + height * row), channels };
      const data: Uint16Array = lib.HEAPU16.subarray(start >> 1, (start + height * row) >> 1);
      const spare = 16 - lib._heif_image_get_bits_per_pixel_range(image, INTERLEAVED);
      for (let at = 0; at < data.length; at++) data[at] = (data[at] as number) << spare;
      return { data, channels };
    };
    return { width, height, isGrey, said, icc, coding, decode, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Items that a file says it has; libheif takes those that are there. */
function itemsSaid(bytes: Buffer): number {
  const at = bytes.indexOf('iinf') + 4;
  if (at < 4) return 0;
  return bytes[at] === 0 ? bytes.readUInt16BE(at + 4) : bytes.readUInt32BE(at + 4);
}
