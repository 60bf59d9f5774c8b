import type { ReviewerProfile } from '@redpen/client';
import { UserSearch } from 'lucide-react';
import { AddressInput } from '../../../data/address-field.tsx';
import { useKeyQuery } from '../../../data/use-key-query.ts';
import { Badge } from '../../../ui/badge.tsx';
import { SelectInput } from '../../../ui/field.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { describeDuration, formatNumber, Time } from '../../../ui/time.ts';
import styles from '../memory.module.css';
import { MEMORY, percent } from '../memory-data.ts';
import { useMemoryAddress } from '../use-memory-address.ts';

/** How a reviewer decides, and how well that can be predicted. */
export function PeoplePanel() {
  const [{ reviewer }, setAddress] = useMemoryAddress();
  const { data: recent } = useKeyQuery([...MEMORY, 'reviewers'], async (redpen, signal) => {
    const { results } = await redpen.judgments.query({ judgeType: 'human', limit: 100 }, { signal });
    return [...new Map(results.map(({ actionUser }) => [actionUser.userId, actionUser])).values()];
  });
  const profile = useKeyQuery(
    [...MEMORY, 'profile', reviewer],
    (redpen, signal) => redpen.memory.profile({ targetUserId: reviewer ?? '' }, { signal }),
    { enabled: reviewer !== undefined },
  );
  return (
    <>
      <div className={styles.columns}>
        {recent && recent.length > 0 && (
          <SelectInput
            label="Reviewer"
            hint="Those of the newest judgments."
            choices={recent.map(({ userId, name }) => ({ id: userId, label: name || userId }))}
            value={reviewer}
            onChange={(next) => setAddress({ reviewer: next })}
          />
        )}
        <AddressInput
          label="User id"
          isMono
          value={reviewer ?? ''}
          onChange={(next) => setAddress({ reviewer: next })}
        />
      </div>
      {reviewer === undefined ? (
        <EmptyState icon={UserSearch} title="Choose a reviewer">
          The memory knows what a person approves and rejects, once the person has decided a few times.
        </EmptyState>
      ) : (
        <QueryView query={profile}>
          {(found) =>
            found ? (
              <Profile profile={found} />
            ) : (
              <EmptyState icon={UserSearch} title="No decisions">
                {reviewer} made no decisions that are remembered, or they are not computed yet.
              </EmptyState>
            )
          }
        </QueryView>
      )}
    </>
  );
}

function Profile({ profile }: { profile: ReviewerProfile }) {
  const { name, userId, email, totalJudgments, approvalRate, avgReviewTimeSeconds, twinEligible } = profile;
  const { twinAccuracy, topFlags, contentTypes, peakHours, lastActive, evolvedStandards = [] } = profile;
  const facts: [string, React.ReactNode][] = [
    ['Judgments', formatNumber(totalJudgments)],
    ['Approves', percent(approvalRate)],
    ['Decides after', avgReviewTimeSeconds > 0 ? describeDuration(avgReviewTimeSeconds * 1_000) : 'Unknown'],
    ['Last active', <Time key="time" at={lastActive} />],
    ['Busiest hours (UTC)', peakHours.map((hour) => `${hour}:00`).join(', ') || '–'],
    ['Content', contentTypes.join(', ') || '–'],
  ];
  return (
    <div className={styles.columns}>
      <Card title={name || userId} {...(email && { lead: email })}>
        <dl className={styles.facts}>
          {facts.map(([label, value]) => (
            <div key={label} className={styles.head}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card title="Predicted decisions">
        <p>
          {twinEligible
            ? `Earlier decisions on similar content predict ${twinAccuracy === null ? 'an unknown share' : percent(twinAccuracy)} of the later ones.`
            : 'At least 50 decisions are needed to predict the next.'}
        </p>
        {topFlags.length > 0 && (
          <section className={styles.section}>
            <h3>Rejects or comments most</h3>
            <div className={styles.chips}>
              {topFlags.map(({ issue, count }) => (
                <Badge key={issue}>
                  {issue} ({formatNumber(count)})
                </Badge>
              ))}
            </div>
          </section>
        )}
        {evolvedStandards.map(({ topic, shiftDate, oldPattern, newPattern }) => (
          <section key={topic} className={styles.section}>
            <h3>
              {topic}, <Time at={shiftDate} />
            </h3>
            <p className={styles.muted}>Before: {oldPattern}</p>
            <p>Since then: {newPattern}</p>
          </section>
        ))}
      </Card>
    </div>
  );
}
