import type { UnreadAnswer } from './job.ts'

/** What came back, where this page cannot show it. It was paid for, and a reload would lose it. */
export const UnreadReport = ({ answer }: UnreadAnswer) => (
  <section class="card profile" aria-label="Report">
    <p role="alert" class="warn-text">
      The calibration is done, but this page does not know the form of its report. Save it before you reload
      the page: <code>profile</code> in it is your profile.
    </p>
    <div class="row">
      <a
        class="quiet"
        download="calibration.json"
        href={`data:application/json,${encodeURIComponent(answer)}`}
      >
        Download calibration.json
      </a>
    </div>
  </section>
)
