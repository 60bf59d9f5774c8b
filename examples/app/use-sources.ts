// Finds @redpen/client in this repository, without a build. An application installs the package, and needs none of this.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const module = /^@redpen\/client(?:\/(\w+))?$/.exec(specifier);
    if (!module) return next(specifier, context);
    return next(
      new URL(`../../packages/client/src/${module[1] ?? 'index'}.ts`, import.meta.url).href,
      context,
    );
  },
});
