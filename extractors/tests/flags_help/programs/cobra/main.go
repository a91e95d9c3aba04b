package main

import (
	"os"

	"github.com/spf13/cobra"
)

var rootCmd = &cobra.Command{
	Use:   "tool",
	Short: "A tool",
	Run:   func(cmd *cobra.Command, args []string) {},
}

var runCmd = &cobra.Command{
	Use:   "run [what]",
	Short: "Run it",
	Run:   func(cmd *cobra.Command, args []string) {},
}

var mcpCmd = &cobra.Command{Use: "mcp", Short: "Servers"}

var addCmd = &cobra.Command{
	Use:   "add NAME",
	Short: "Add one",
	Run:   func(cmd *cobra.Command, args []string) {},
}

func init() {
	rootCmd.PersistentFlags().StringP("cwd", "c", "", "The folder")
	rootCmd.PersistentFlags().BoolP("debug", "d", false, "Say all")
	rootCmd.Flags().String("level", "info", "How loud")
	rootCmd.Flags().StringSlice("dirs", nil, "Folders")
	rootCmd.Flags().Bool("secret", false, "Nothing to see")
	_ = rootCmd.Flags().MarkHidden("secret")
	runCmd.Flags().IntP("jobs", "j", 4, "How many")
	runCmd.Flags().Bool("old", false, "As before")
	runCmd.Flags().Duration("timeout", 0, "How long is waited")
	addCmd.Flags().StringArrayP("env", "e", nil, "Variables")
	rootCmd.AddCommand(runCmd, mcpCmd)
	mcpCmd.AddCommand(addCmd)
}

func main() {
	if err := rootCmd.Execute(); err != nil {
		os.Exit(1)
	}
}
