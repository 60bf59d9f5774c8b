/** How a field of a message is read: as a scalar, as a message, or as a list of either. */
type Kind =
  | 'string'
  | 'hex'
  | 'bool'
  | 'enum'
  | 'int64'
  | 'fixed64'
  | 'double'
  | 'packed fixed64'
  | 'packed double'
  | Message
  | [Message];

interface Message {
  readonly [field: number]: readonly [name: string, kind: Kind];
}

// Field numbers of opentelemetry/proto/{common,resource,trace,metrics}/v1, with the names of the JSON encoding.
const value: Message = {
  1: ['stringValue', 'string'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'int64'],
  4: ['doubleValue', 'double'],
};
const keyValue: Message = { 1: ['key', 'string'], 2: ['value', value] };
const resource: Message = { 1: ['attributes', [keyValue]] };
const span: Message = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'string'],
  6: ['kind', 'enum'],
  7: ['startTimeUnixNano', 'fixed64'],
  8: ['endTimeUnixNano', 'fixed64'],
  9: ['attributes', [keyValue]],
  15: ['status', { 2: ['message', 'string'], 3: ['code', 'enum'] }],
};
const scopeSpans: Message = { 2: ['spans', [span]] };
const resourceSpans: Message = { 1: ['resource', resource], 2: ['scopeSpans', [scopeSpans]] };
const numberPoint: Message = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['asDouble', 'double'],
  6: ['asInt', 'fixed64'],
  7: ['attributes', [keyValue]],
};
const histogramPoint: Message = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['count', 'fixed64'],
  5: ['sum', 'double'],
  6: ['bucketCounts', 'packed fixed64'],
  7: ['explicitBounds', 'packed double'],
  9: ['attributes', [keyValue]],
};
const metric: Message = {
  1: ['name', 'string'],
  2: ['description', 'string'],
  5: ['gauge', { 1: ['dataPoints', [numberPoint]] }],
  7: [
    'sum',
    { 1: ['dataPoints', [numberPoint]], 2: ['aggregationTemporality', 'enum'], 3: ['isMonotonic', 'bool'] },
  ],
  9: ['histogram', { 1: ['dataPoints', [histogramPoint]], 2: ['aggregationTemporality', 'enum'] }],
};
const scopeMetrics: Message = { 2: ['metrics', [metric]] };
const resourceMetrics: Message = { 1: ['resource', resource], 2: ['scopeMetrics', [scopeMetrics]] };

/** Bodies of the two requests of OTLP. */
export const REQUESTS = {
  traces: { 1: ['resourceSpans', [resourceSpans]] },
  metrics: { 1: ['resourceMetrics', [resourceMetrics]] },
} satisfies Record<string, Message>;

/** Decodes a message of the protobuf wire format into the form that its JSON encoding has. Unknown fields are skipped. */
export function decodeMessage(bytes: Buffer, message: Message): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  let at = 0;
  const varint = (): bigint => {
    let number = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('The message ends within a number.');
      number |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('The message ends within a field.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const raw =
      wire === 0
        ? varint()
        : wire === 1
          ? take(8)
          : wire === 2
            ? take(Number(varint()))
            : wire === 5
              ? take(4)
              : undefined;
    if (raw === undefined) throw new Error(`There is no wire type ${wire}.`);
    const field = message[tag >> 3];
    if (field === undefined) continue;
    const [name, kind] = field;
    if (Array.isArray(kind)) {
      const before = (decoded[name] ?? []) as unknown[];
      decoded[name] = [...before, decodeMessage(raw as Buffer, kind[0])];
    } else decoded[name] = read(raw, kind as Exclude<Kind, [Message]>);
  }
  return decoded;
}

function read(raw: bigint | Buffer, kind: Exclude<Kind, [Message]>): unknown {
  if (typeof kind === 'object') return decodeMessage(raw as Buffer, kind);
  if (kind === 'bool') return raw !== 0n;
  if (kind === 'enum') return Number(raw);
  if (kind === 'int64') return String(BigInt.asIntN(64, raw as bigint));
  const bytes = raw as Buffer;
  if (kind === 'string') return bytes.toString('utf8');
  if (kind === 'hex') return bytes.toString('hex');
  if (kind === 'double') return bytes.readDoubleLE();
  if (kind === 'fixed64') return String(bytes.readBigUInt64LE());
  return Array.from({ length: bytes.length / 8 }, (_, index) =>
    kind === 'packed double' ? bytes.readDoubleLE(index * 8) : String(bytes.readBigUInt64LE(index * 8)),
  );
}
