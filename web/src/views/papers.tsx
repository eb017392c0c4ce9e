import { useState } from "preact/hooks";
import { errorOf, useDocument, valueOf } from "../documents";

/** The reports of `tengen reproduce`, in a frame. */
export function PapersView() {
  const loading = useDocument<{ reports: { path: string; title: string }[] }>("api/reports");
  const reports = valueOf(loading)?.reports ?? [];
  const [path, setPath] = useState<string | null>(null);
  const shown = path ?? reports[0]?.path;
  return (
    <div class="page stack">
      <div class="row spread">
        <h1>Papers</h1>
        {reports.length > 1 && (
          <label class="row nowrap">
            Report
            <select value={shown} onChange={(event) => setPath(event.currentTarget.value)}>
              {reports.map((report) => (
                <option key={report.path} value={report.path}>
                  {report.title}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {errorOf(loading) && <p class="notice bad">{errorOf(loading)}</p>}
      {loading && !reports.length && !errorOf(loading) && (
        <p class="panel">
          The server has no reports. <code>tengen reproduce --site</code> writes them; start the server with{" "}
          <code>tengen web --reports FOLDER</code>.
        </p>
      )}
      {shown && <iframe class="report" src={`reports/${shown.split("/").map(encodeURIComponent).join("/")}`} title="Report" />}
    </div>
  );
}
