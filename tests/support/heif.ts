/* Files of the HEIC and AVIF family, written box by box around what an encoder made: as phones, cameras and accidents write them. */

interface Item {
  /** `hvc1`, `av01`, `grid`, `Exif`, `mime`. */
  type: string;
  data: Buffer;
  /** Boxes of its own, in the order of `ipco`. */
  properties?: Buffer[];
  /** Of `mime`. */
  contentType?: string;
  /** Items that it is made of, or that it describes, by their place. */
  refers?: { type: 'dimg' | 'cdsc'; to: number[] };
}

interface Form {
  /** The first one is that of the file. */
  brands: string[];
  items: Item[];
  /** Place of the primary item. */
  primary?: number;
  /** Items that it says it has; absent: those it has. */
  declared?: number;
}

const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number) => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
const text = (value: string) => Buffer.from(value, 'latin1');

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
}
const full = (type: string, version: number, ...parts: Buffer[]) =>
  box(type, Buffer.from([version, 0, 0, 0]), ...parts);

/** A whole file; the data of its items lie in their order at its end. */
export function heifOf({ brands, items, primary = 0, declared = items.length }: Form): Buffer {
  const [brand = ''] = brands;
  const head = box('ftyp', text(brand), u32(0), ...brands.map(text));
  // One that several items have stands there once.
  const all = items.flatMap(({ properties = [] }) => properties);
  const distinct = [...new Map(all.map((one) => [one.toString('latin1'), one])).values()];
  const associations = items.flatMap(({ properties = [] }, index) => {
    if (properties.length === 0) return [];
    const places = properties.map((one) => 0x80 | (distinct.findIndex((other) => one.equals(other)) + 1));
    return [Buffer.concat([u16(index + 1), Buffer.from([places.length, ...places])])];
  });
  const meta = (start: number) => {
    let at = start;
    const extents = items.map(({ data }, index) => {
      const extent = Buffer.concat([u16(index + 1), u16(0), u16(1), u32(at), u32(data.length)]);
      at += data.length;
      return extent;
    });
    const infos = items.map(({ type, contentType }, index) =>
      full('infe', 2, u16(index + 1), u16(0), text(type), text(`\0${contentType ? `${contentType}\0` : ''}`)),
    );
    const references = items.flatMap(({ refers }, index) =>
      refers
        ? [
            box(
              refers.type,
              u16(index + 1),
              u16(refers.to.length),
              ...refers.to.map((place) => u16(place + 1)),
            ),
          ]
        : [],
    );
    return full(
      'meta',
      0,
      full('hdlr', 0, u32(0), text('pict'), Buffer.alloc(13)),
      full('pitm', 0, u16(primary + 1)),
      full('iloc', 0, u16(0x4400), u16(items.length), ...extents),
      full('iinf', 0, u16(declared), ...infos),
      ...(references.length > 0 ? [full('iref', 0, ...references)] : []),
      box('iprp', box('ipco', ...distinct), full('ipma', 0, u32(associations.length), ...associations)),
    );
  };
  const start = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(start), box('mdat', ...items.map(({ data }) => data))]);
}

const ispe = (width: number, height: number) => full('ispe', 0, u32(width), u32(height));

/** How numbers become colours, by the tables of ITU-T H.273. */
export const nclx = (primaries: number, transfer: number, matrix: number, isFullRange: boolean) =>
  box(
    'colr',
    text('nclx'),
    u16(primaries),
    u16(transfer),
    u16(matrix),
    Buffer.from([isFullRange ? 0x80 : 0]),
  );

/** What is shown of a picture: so many points around its middle. */
export const clap = (width: number, height: number) =>
  box('clap', ...[width, 1, height, 1, 0, 1, 0, 1].map(u32));

/** The picture of a file that an encoder made of one picture without metadata, as an item. */
export function itemOf(file: Buffer, [width, height]: readonly [number, number]): Item {
  const place = (type: string) => {
    const at = file.indexOf(type) - 4;
    return { at, end: at + file.readUInt32BE(at) };
  };
  const type = file.includes('hvcC') ? 'hvc1' : 'av01';
  const [coding, data] = [place(type === 'hvc1' ? 'hvcC' : 'av1C'), place('mdat')];
  return {
    type,
    data: file.subarray(data.at + 8, data.end),
    properties: [file.subarray(coding.at, coding.end), ispe(width, height)],
  };
}

/** A picture of tiles of one size, as phones write them: an item of its own, then the tiles. */
export function gridOf(tiles: Item[], columns: number, [width, height]: readonly [number, number]): Item[] {
  const rows = tiles.length / columns;
  const size = [width * columns, height * rows] as const;
  return [
    {
      type: 'grid',
      data: Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), ...size.map(u16)]),
      properties: [ispe(...size)],
      refers: { type: 'dimg', to: tiles.map((_, index) => index + 1) },
    },
    ...tiles,
  ];
}
