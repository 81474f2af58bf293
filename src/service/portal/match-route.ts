import type { PortalRoute } from './portal-call.js';

/** The route of a path, and the parts of the path by their names. */
export interface Match {
  route: PortalRoute;
  params: Record<string, string>;
}

/** Finds the route of a path below /portal; otherwise returns the methods that the path has, none for an unknown path. */
export function matchRoute(routes: readonly PortalRoute[], method: string, path: string): Match | string[] {
  const others: string[] = [];
  for (const route of routes) {
    const params = readParams(route.path, path);
    if (params === undefined) continue;
    if (route.method === method) return { route, params };
    others.push(route.method);
  }
  return others;
}

function readParams(pattern: string, path: string): Record<string, string> | undefined {
  const [names, parts] = [pattern.split('/'), path.split('/')];
  if (names.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = decode(parts[index] ?? '');
    if (part === undefined) return undefined;
    if (name.startsWith(':') && part !== '') params[name.slice(1)] = part;
    else if (name !== part) return undefined;
  }
  return params;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
