import type { WebhookEndpoint } from '@redpen/client';
import { describe, expect, it } from 'vitest';
import { changeOf, creationOf, type EndpointForm, formOf, healthOf, problemsOf } from './endpoint-form.ts';

const EMPTY = formOf(undefined);
const typed = (fields: Partial<EndpointForm>): EndpointForm => ({ ...EMPTY, ...fields });

const endpoint: WebhookEndpoint = {
  id: 'ep_1',
  url: 'https://example.com/hooks',
  description: null,
  filterTypes: ['comment.add'],
  channels: ['acme', 'acme/website'],
  disabled: false,
  disabledReason: null,
  failingSince: null,
  rateLimit: 5,
  uid: 'mine',
  metadata: { team: 'web' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

describe('the form of an endpoint', () => {
  it('sends only what was typed when it creates one', () => {
    expect(creationOf(typed({ url: ' https://example.com/hooks ' }))).toEqual({
      url: 'https://example.com/hooks',
    });
    expect(
      creationOf(
        typed({
          url: 'https://example.com/',
          isChosen: true,
          filterTypes: ['comment.add'],
          channels: 'acme\n\n acme/website ',
          rateLimit: '20',
          uid: 'mine',
          metadata: 'team=web\nnote=a=b',
        }),
      ),
    ).toEqual({
      url: 'https://example.com/',
      filterTypes: ['comment.add'],
      channels: ['acme', 'acme/website'],
      rateLimit: 20,
      uid: 'mine',
      metadata: { team: 'web', note: 'a=b' },
    });
  });

  it('clears with null what was emptied, and never sends the uid again', () => {
    expect(changeOf('ep_1', formOf(endpoint))).toEqual({
      endpointId: 'ep_1',
      url: 'https://example.com/hooks',
      description: null,
      filterTypes: ['comment.add'],
      channels: ['acme', 'acme/website'],
      rateLimit: 5,
      metadata: { team: 'web' },
    });
    expect(
      changeOf('ep_1', { ...formOf(endpoint), isChosen: false, channels: '', rateLimit: '' }),
    ).toMatchObject({
      filterTypes: null,
      channels: null,
      rateLimit: null,
    });
  });

  it.each([
    [{ url: 'example.com' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ isChosen: true }, 'filterTypes'],
    [{ rateLimit: '0' }, 'rateLimit'],
    [{ rateLimit: '1.5' }, 'rateLimit'],
    [{ metadata: 'team' }, 'metadata'],
  ] as const)('finds what is wrong with %j', (fields, name) => {
    expect(problemsOf(typed({ url: 'https://example.com/', ...fields }))).toHaveProperty(name);
  });

  it('finds nothing wrong with an endpoint of the service', () => {
    expect(problemsOf(formOf(endpoint))).toEqual({});
  });
});

describe('the health of an endpoint', () => {
  it.each([
    [{}, 'Enabled', 'good'],
    [{ failingSince: '2026-01-01T00:00:00.000Z' }, 'Failing', 'bad'],
    [{ disabled: true, disabledReason: 'caller' }, 'Disabled', 'neutral'],
    [{ disabled: true, disabledReason: 'gone' }, 'Disabled', 'bad'],
    [{ disabled: true, disabledReason: 'failing' }, 'Disabled', 'bad'],
  ] as const)('of %j is %s', (fields, label, tone) => {
    expect(healthOf({ ...endpoint, ...fields })).toMatchObject({ label, tone });
  });
});
