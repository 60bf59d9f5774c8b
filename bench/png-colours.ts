import { inflateSync } from 'node:zlib';

/** The colours at places of a PNG of 8 bits a channel, without interlacing, as browsers write them. */
export function coloursAt(png: Uint8Array, places: readonly { x: number; y: number }[]): number[][] {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const [depth, kind] = [file[24], file[25]];
  const channels = kind === 6 ? 4 : kind === 2 ? 3 : undefined;
  if (depth !== 8 || channels === undefined) throw new Error(`No such PNG is read here: ${depth}, ${kind}.`);
  const data: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const rows = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  let above = new Uint8Array(stride);
  const found: number[][] = places.map(() => []);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)]!;
    const row = Uint8Array.from(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; filter !== 0 && x < stride; x++) {
      const left = x < channels ? 0 : row[x - channels]!;
      const corner = x < channels ? 0 : above[x - channels]!;
      row[x]! += predicted(filter, left, above[x]!, corner);
    }
    for (const [index, place] of places.entries())
      if (place.y === y) found[index] = [...row.subarray(place.x * channels, place.x * channels + 3)];
    above = row;
  }
  return found;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [byLeft, byUp, byCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs) as [
    number,
    number,
    number,
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
