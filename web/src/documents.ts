import { useEffect, useState } from "preact/hooks";
import type { Catalogue } from "./protocol";

/** Read a JSON document of the server. Rejects with the server's sentence. */
export async function read<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
  const words = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const answer = await fetch(words.size ? `${path}?${words}` : path, { headers: { accept: "application/json" } });
  const body = (await answer.json()) as T & { error?: string };
  if (!answer.ok) throw new Error(body.error ?? `the server answered ${answer.status}`);
  return body;
}

export type Loading<T> = { readonly value: T } | { readonly error: string } | null;

/** A document, null while it is read; read again when `path` or the query changes. */
export function useDocument<T>(path: string | null, query: Record<string, string | number> = {}): Loading<T> {
  const key = path === null ? null : JSON.stringify([path, query]);
  const [found, setFound] = useState<{ key: string; loading: Loading<T> } | null>(null);
  useEffect(() => {
    if (path === null || key === null) return;
    let isCurrent = true;
    read<T>(path, query).then(
      (value) => isCurrent && setFound({ key, loading: { value } }),
      (error: Error) => isCurrent && setFound({ key, loading: { error: error.message } }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return found && found.key === key ? found.loading : null;
}

export function valueOf<T>(loading: Loading<T>): T | null {
  return loading && "value" in loading ? loading.value : null;
}

export function errorOf(loading: Loading<unknown>): string | null {
  return loading && "error" in loading ? loading.error : null;
}

export type { Catalogue };
