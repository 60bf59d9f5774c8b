import { inflateSync } from 'node:zlib';

/** RGB colors at points of a PNG with 8 bits per channel and no interlacing, as browsers write it. */
export function colorsAt(png: Uint8Array, points: readonly { x: number; y: number }[]): number[][] {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const [depth, colorType] = [file[24], file[25]];
  const channels = colorType === 6 ? 4 : colorType === 2 ? 3 : undefined;
  if (depth !== 8 || channels === undefined)
    throw new Error(`Unsupported PNG: bit depth ${depth}, color type ${colorType}.`);
  const data: Buffer[] = [];
  for (let offset = 8; offset < file.length; offset += 12 + file.readUInt32BE(offset)) {
    if (file.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      data.push(file.subarray(offset + 8, offset + 8 + file.readUInt32BE(offset)));
  }
  const rows = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  let previousRow = new Uint8Array(stride);
  const colors: number[][] = points.map(() => []);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)]!;
    const row = Uint8Array.from(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; filter !== 0 && x < stride; x++) {
      const left = x < channels ? 0 : row[x - channels]!;
      const upperLeft = x < channels ? 0 : previousRow[x - channels]!;
      row[x]! += predict(filter, left, previousRow[x]!, upperLeft);
    }
    for (const [index, point] of points.entries())
      if (point.y === y) colors[index] = [...row.subarray(point.x * channels, point.x * channels + 3)];
    previousRow = row;
  }
  return colors;
}

/** Predicts a byte by a filter of the PNG specification: 1 is left, 2 up, 3 average, 4 Paeth. */
function predict(filter: number, left: number, up: number, upperLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [leftDistance, upDistance, upperLeftDistance] = [
    up - upperLeft,
    left - upperLeft,
    left + up - 2 * upperLeft,
  ].map(Math.abs) as [number, number, number];
  if (leftDistance <= upDistance && leftDistance <= upperLeftDistance) return left;
  return upDistance <= upperLeftDistance ? up : upperLeft;
}
