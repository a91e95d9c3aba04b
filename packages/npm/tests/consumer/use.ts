// A host that reads records by their types. Compiled by the tests, never run.
import {
  createValidator,
  kindOfPath,
  migrate,
  type AgentCliCompatibilityResponse,
  type AgentCliCompatibilityStatus,
  type ErrorCase,
  type Observation,
  type Promotion,
  type SupportMatrix,
} from "@open-design/agent-cli-contracts";

export function guidance(answer: AgentCliCompatibilityResponse): string {
  switch (answer.policy.allow_run) {
    case "allow":
      return "";
    case "warn":
      return `${answer.agent} ${answer.installed_version ?? "?"} is ${answer.status}`;
    case "block":
      return answer.evidence.version_range ?? "no range";
  }
}

export function verified(matrix: SupportMatrix): AgentCliCompatibilityStatus[] {
  return matrix.agents.filter((entry) => entry.observed_shapes.length > 0).map((entry) => entry.support_status);
}

export function confirms(promotion: Promotion): number {
  return promotion.action.kind === "promote" ? promotion.action.observations.length : 0;
}

export function expected(error: ErrorCase): string | undefined {
  return error.expected_failure_classification?.user_action;
}

export function when(observation: Observation): string {
  const kept: number | undefined = observation.extensions?.evidence?.raw_retention_days;
  return `${observation.capture.captured_at} ${observation.shape.signature} ${kept ?? 0}`;
}

// @ts-expect-error `verified` alone is no status
export const ambiguous: AgentCliCompatibilityStatus = "verified";

export const errors = createValidator().check(kindOfPath("registry/agents.json") ?? "agents", migrate("agents", {}));
