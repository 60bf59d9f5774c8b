import { useSession } from '../../session/session.tsx';
import { Card } from '../../ui/page.tsx';
import { Facts } from '../../ui/stack.tsx';

export function AboutTab() {
  const { service } = useSession();
  return (
    <Card title="Redpen">
      <Facts
        facts={[
          ['Version', service.version],
          [
            'Telemetry',
            'None. The console speaks to this service only, and the service reports nothing to its makers.',
          ],
          [
            'Licence',
            <span key="licence">
              Apache-2.0. <a href="/console/licenses.txt">Licences of the packages in this console</a>
            </span>,
          ],
          [
            'Reference',
            <a key="reference" href="/docs">
              API reference and guides of this version
            </a>,
          ],
        ]}
      />
    </Card>
  );
}
