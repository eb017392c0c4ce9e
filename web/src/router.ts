import { useEffect, useState } from "preact/hooks";

/** The part of the address after '#/', split at '/': the page and its identifiers. */
export function currentRoute(): string[] {
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
}

export function link(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export function go(...parts: string[]): void {
  location.hash = link(...parts);
}

/** Change the address without a new entry in the browser's history. */
export function replaceRoute(...parts: string[]): void {
  history.replaceState(null, "", link(...parts));
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): string[] {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const changed = () => setRoute(currentRoute());
    changed(); // the address may have changed since the first rendering
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  return route;
}
