import type { WebhookEndpoint } from '@redpen/client';

/** The fields of an endpoint as they are typed. */
export interface EndpointForm {
  url: string;
  description: string;
  /** False: the events that every endpoint gets. */
  isChosen: boolean;
  filterTypes: readonly string[];
  /** A line each. */
  channels: string;
  rateLimit: string;
  uid: string;
  /** A line each, such as `team=web`. */
  metadata: string;
}

export type EndpointProblems = Partial<Record<keyof EndpointForm, string>>;

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const formOf = (endpoint: WebhookEndpoint | undefined): EndpointForm => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  isChosen: endpoint?.filterTypes != null,
  filterTypes: endpoint?.filterTypes ?? [],
  channels: endpoint?.channels?.join('\n') ?? '',
  rateLimit: endpoint?.rateLimit?.toString() ?? '',
  uid: endpoint?.uid ?? '',
  metadata: Object.entries(endpoint?.metadata ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n'),
});

/** Faults of the fields that show before the service is asked. */
export function problemsOf(form: EndpointForm): EndpointProblems {
  const problems: EndpointProblems = {};
  if (!/^https?:$/.test(URL.parse(form.url.trim())?.protocol ?? ''))
    problems.url = 'Type an address that begins with https:// or http://.';
  if (form.isChosen && form.filterTypes.length === 0) problems.filterTypes = 'Choose at least one event.';
  if (form.rateLimit.trim() !== '' && !/^[1-9]\d{0,5}$/.test(form.rateLimit.trim()))
    problems.rateLimit = 'Type a whole number from 1 on, or leave it empty.';
  if (linesOf(form.metadata).some((line) => !/^[^=]+=/.test(line)))
    problems.metadata = 'Each line is a name, an equals sign and a value.';
  return problems;
}

const orUndefined = <T>(values: readonly T[]): T[] | undefined => (values.length ? [...values] : undefined);

/** The fields that both creating and changing have; what is left empty is undefined. */
function valuesOf(form: EndpointForm) {
  const entries = linesOf(form.metadata).map((line): [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return {
    url: form.url.trim(),
    description: form.description.trim() || undefined,
    filterTypes: form.isChosen ? orUndefined(form.filterTypes) : undefined,
    channels: orUndefined(linesOf(form.channels)),
    rateLimit: form.rateLimit.trim() === '' ? undefined : Number(form.rateLimit),
    metadata: entries.length ? Object.fromEntries(entries) : undefined,
  };
}

/** The request that creates the endpoint. */
export function creationOf(form: EndpointForm) {
  const uid = form.uid.trim() || undefined;
  return withoutUndefined({ ...valuesOf(form), uid }) as { url: string };
}

/** The request that changes an endpoint; null clears what was left empty. */
export function changeOf(endpointId: string, form: EndpointForm) {
  const { url, ...others } = valuesOf(form);
  const cleared = Object.entries(others).map(([name, value]) => [name, value ?? null]);
  return { endpointId, url, ...(Object.fromEntries(cleared) as object) };
}

const withoutUndefined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

export interface EndpointHealth {
  tone: 'good' | 'warn' | 'bad' | 'neutral';
  label: string;
  hint: string | undefined;
}

/** The state of an endpoint, in a word and a sentence. */
export function healthOf({ disabled, disabledReason, failingSince }: WebhookEndpoint): EndpointHealth {
  if (disabled) {
    if (disabledReason === 'gone')
      return { tone: 'bad', label: 'Disabled', hint: 'It answered 410 Gone, so nothing is sent to it.' };
    if (disabledReason === 'failing')
      return { tone: 'bad', label: 'Disabled', hint: 'Every attempt failed for five days.' };
    return {
      tone: 'neutral',
      label: 'Disabled',
      hint: 'Messages are held until it is enabled and replayed.',
    };
  }
  if (failingSince !== null)
    return { tone: 'bad', label: 'Failing', hint: 'Every attempt fails. After five days it is disabled.' };
  return { tone: 'good', label: 'Enabled', hint: undefined };
}
