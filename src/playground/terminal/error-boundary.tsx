import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  onError(error: Error): void
}

/** Hands on what a component threw, and draws nothing in its place: the terminal is given back first. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error instanceof Error ? error : new Error(String(error)))
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}
