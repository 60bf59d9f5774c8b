/** `/v2/workspace/apikey/create` is workspaceApikeyCreate; names of version 1 end with `V1`. */
export function operationId(path: string): string {
  const [version = '', ...words] = path.split('/').slice(1);
  const name = words
    .flatMap((word) => word.split(/[-_]/))
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  return version === 'v2' ? name : `${name}${version.toUpperCase()}`;
}
